import type { Actor } from '#platform/auth/actor.ts'

/** Users who can see or change a dataset can see or change its schema. These are the additional rules. */
export const schemaPolicy = {
  seeProperty: (u: Actor, property: { readonly visible_for_annotators: boolean }) =>
    u.role !== 'annotator' || property.visible_for_annotators,
}
