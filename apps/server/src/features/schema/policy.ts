import type { Actor } from '#platform/auth/actor.ts'

/**
 * Rules in addition to the general rule: users who can see a dataset can see its schema, and users who can change it can change
 * its schema.
 */
export const schemaPolicy = {
  seeProperty: (u: Actor, property: { readonly visible_for_annotators: boolean }) =>
    u.role !== 'annotator' || property.visible_for_annotators,
}
