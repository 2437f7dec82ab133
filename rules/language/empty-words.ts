/** Words that carry no meaning of their own. */
export const EMPTY = new Set(
  (
    'a an the this that these those some any of in on at to for from with by and or then as into onto off up out over it its them they there ' +
    'here i we you he she us me my your our his her their is are be was were been am do does did please kindly now just also first again back ' +
    'right away immediately quickly asap again too so which who whose what when where while because since can could would should will shall ' +
    'may might must want wants need needs like have has had ahead get let lets thanks thank hi hello hey ok okay really actually simply ' +
    'only one ones called named labelled labeled titled headed saying says about against via using through if case than re ve ll d s t m same ' +
    'under beside inside within near around concerning regarding belonging named marked given ' +
    'him hers theirs ours yours altogether completely entirely directly straight pls plz thx cheers well hmm um oh anyway kind kindly ' +
    'both whole whats thats theres already still once been being there therefore hence thing stuff respectively instead little per'
  ).split(' '),
);
