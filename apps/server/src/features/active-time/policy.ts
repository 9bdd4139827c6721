import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const activeTimePolicy = {
  /** People always see their own. Leads see that of others only if the dataset's settings allow it. */
  seeOthers: (u: Actor, s: Membership, isShownToLeads: boolean) => isShownToLeads && (isOwner(u) || isAdminOf(u, s)),
}
