import type { SecondFactorDue } from '@postil/contract/people/second-factor.ts'
import type { Role } from '#platform/db/tables.ts'

/** The caller, as stored at the time of this request. */
export type User = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly role: Role
  /** Whether the user is marked as an agent, or acts through one. */
  readonly is_agent?: boolean
  /**
   * Whether the user signed in with a second factor, or an identity provider confirmed that they did. False for API keys.
   */
  readonly hasShownTwo?: boolean
  /** Whether the request used a browser session, and so comes from a person. Keys and tokens belong to programs. */
  readonly isInBrowser?: boolean
  /** Whether this is a browser session of the demo user, which all visitors share (`shared-account.ts`). */
  readonly isShared?: boolean
  /**
   * The second-factor step that is due. Until the user has completed it, only a few endpoints are available
   * (`second-factor-duty.ts`).
   */
  readonly due?: SecondFactorDue
}
