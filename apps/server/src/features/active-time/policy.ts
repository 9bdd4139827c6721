import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

export const activeTimePolicy = {
  /** Leads see other people's active time only if the dataset's settings allow it. People always see their own active time. */
  seeOthers: (u: Actor, s: Membership, isShownToLeads: boolean) => isShownToLeads && (isOwner(u) || isAdminOf(u, s)),
}
