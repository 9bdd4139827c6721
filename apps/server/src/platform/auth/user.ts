import type { SecondFactorDue } from '@postil/contract/people/second-factor.ts'
import type { Role } from '#platform/db/tables.ts'

/** Who calls, as the database says at this request. */
export type User = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly role: Role
  /** Whether a second factor was shown beside the first, or is vouched for. A key is of programs and shows none. */
  readonly hasShownTwo?: boolean
  /** Whether the request came with a browser's session: a person is at the page, where a key or a token is of a program. */
  readonly isInBrowser?: boolean
  /** Whether it is the browser of somebody who is the user of the demo, as everybody may be (`shared-account.ts`). */
  readonly isShared?: boolean
  /** What a second factor that has to be shown, and was not, asks for. Little is open to whoever has this (`second-factor-duty.ts`). */
  readonly due?: SecondFactorDue
}
