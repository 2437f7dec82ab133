// The fonts of the system: those of VitePress are two thirds of the size of the site.
import theme from 'vitepress/theme-without-fonts';
import './theme.css';

export default theme;
