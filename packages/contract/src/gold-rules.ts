/** Rules that compute how reliable each annotator is. They decide only questions with single labels or ratings. */
export const modelRules = ['dawid_skene', 'mace'] as const
export type ModelRule = (typeof modelRules)[number]
export const isModelRule = (rule: string): rule is ModelRule => (modelRules as readonly string[]).includes(rule)

/** The rules by which jobs store final answers. */
export const goldRules = ['unanimous', 'majority', ...modelRules] as const
export type GoldRule = (typeof goldRules)[number]
