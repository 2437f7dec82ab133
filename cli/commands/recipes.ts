import { addCommand, type CliCommand } from '../context/define-command';
import { diffRecipe } from '../recipes/diff';
import { exportRecipe } from '../recipes/export';
import { forgetRecipe } from '../recipes/forget';
import { importRecipes } from '../recipes/import';
import { listRecipes } from '../recipes/list';
import { promoteRecipe } from '../recipes/promote';
import { showRecipe } from '../recipes/show';

const SUBCOMMANDS: readonly CliCommand[] = [
  listRecipes,
  showRecipe,
  diffRecipe,
  exportRecipe,
  importRecipes,
  promoteRecipe,
  forgetRecipe,
];

export const recipes: CliCommand = {
  name: 'recipes',
  summary: 'list, show, compare, export, import, promote or forget recipes',
  description: 'A recipe does a step without a model. A session that ended well leaves one for each of its steps.',
  examples: [
    ['surefoot recipes list', 'all of them, the newest first'],
    ['surefoot recipes show rcp_6f1c2a0d9b7e4c5f', 'what one does, and what it expects'],
    ['surefoot recipes forget rcp_6f1c2a0d9b7e4c5f', 'the next session leaves another'],
  ],
  define: (command, end) => {
    for (const subcommand of SUBCOMMANDS) addCommand(command, subcommand, end);
  },
};
