/** S2.A1: `yolo` approves everything, `always` asks for every call, `default` asks where the tool does. */
export type ApprovalMode = 'default' | 'yolo' | 'always';
