import type { Response } from '@postil/testkit/client.ts'
import type { ApiFixture, Who } from '../fixture.ts'
import type { Sent } from '../send.ts'

/** One line of the permission matrix. */
export type Action = {
  /** ID of the endpoint. */
  readonly id: string
  /** Distinguishes the actions of a route that has several. */
  readonly what?: string
  readonly allowed: readonly Who[]
  /**
   * The response for an object that doesn't exist. `found first`: everybody gets 404. `allowed first`: only the owner gets 404;
   * other users don't learn that the object is missing. Omitted if the route's path names no object.
   */
  readonly missing?: 'found first' | 'allowed first'
  /** A request that succeeds once for each allowed user. */
  readonly request: (fixture: ApiFixture, who: Who) => Sent | Promise<Sent>
  /** Whether the request differs for each user. */
  readonly personal?: true
  /** Whether the request carries its own credentials. */
  readonly anonymous?: true
  /**
   * Whether the response repeats text from the caller's request. If so, a response to a user outside the workspace may contain
   * that text.
   */
  readonly echoes?: true
  /** Returns the effective status of a response. Used for bulk requests whose responses report a status for each item. */
  readonly outcome?: (answer: Response<unknown>) => number
}

export const everyone: readonly Who[] = ['owner', 'adminIn', 'adminOut', 'annotatorIn', 'annotatorOut']
export const members: readonly Who[] = ['owner', 'adminIn', 'annotatorIn']
export const admins: readonly Who[] = ['owner', 'adminIn']
export const owners: readonly Who[] = ['owner']
/** Everyone who can create datasets in at least one workspace. */
export const allAdmins: readonly Who[] = ['owner', 'adminIn', 'adminOut']
