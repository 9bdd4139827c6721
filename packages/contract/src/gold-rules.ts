/** Rules that compute how reliable each annotator is. They decide only questions with single labels or ratings. */
export const modelRules = ['dawid_skene', 'mace'] as const
export type ModelRule = (typeof modelRules)[number]
export const isModelRule = (rule: string): rule is ModelRule => (modelRules as readonly string[]).includes(rule)

/** The rules that jobs can apply to choose final answers. */
export const goldRules = ['unanimous', 'majority', ...modelRules] as const
export type GoldRule = (typeof goldRules)[number]
