/**
 * Rules that estimate how reliable each annotator is. They choose final answers only for questions whose answers are single
 * labels or ratings.
 */
export const modelRules = ['dawid_skene', 'mace'] as const
export type ModelRule = (typeof modelRules)[number]
export const isModelRule = (rule: string): rule is ModelRule => (modelRules as readonly string[]).includes(rule)

/** The rules that jobs can apply to choose final answers. */
export const goldRules = ['unanimous', 'majority', ...modelRules] as const
export type GoldRule = (typeof goldRules)[number]
