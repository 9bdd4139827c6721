import type { Actor } from '#platform/auth/actor.ts'

/**
 * The general rule is that users who can see a dataset can see its schema, and users who can change it can change its schema. The
 * rules below apply in addition to the general rule.
 */
export const schemaPolicy = {
  seeProperty: (u: Actor, property: { readonly visible_for_annotators: boolean }) =>
    u.role !== 'annotator' || property.visible_for_annotators,
}
