import type { Actor } from '#features/datasets/service.ts'

/** Who may see or change a schema is who may see or change its dataset; beyond that: */
export const schemaPolicy = {
  seeProperty: (u: Actor, property: { readonly visible_for_annotators: boolean }) =>
    u.role !== 'annotator' || property.visible_for_annotators,
}
