/** The templates of new datasets, in the order in which they are shown. */
export const templateNames = ['classification', 'entities', 'preference', 'turns', 'arena', 'relevance', 'traces'] as const
export type TemplateName = (typeof templateNames)[number]
