import type { Actor } from '#platform/auth/actor.ts'

/** Rules in addition to the general one: users who can see or change a dataset can see or change its schema. */
export const schemaPolicy = {
  seeProperty: (u: Actor, property: { readonly visible_for_annotators: boolean }) =>
    u.role !== 'annotator' || property.visible_for_annotators,
}
