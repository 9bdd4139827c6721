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
  /** Whether the response repeats text that the caller has sent. Users outside the workspace can then see such text. */
  readonly echoes?: true
  /** The effective status of a response, for bulk requests that report a status per item. */
  readonly outcome?: (answer: Response<unknown>) => number
}

export const everyone: readonly Who[] = ['owner', 'adminIn', 'adminOut', 'annotatorIn', 'annotatorOut']
export const members: readonly Who[] = ['owner', 'adminIn', 'annotatorIn']
export const admins: readonly Who[] = ['owner', 'adminIn']
export const owners: readonly Who[] = ['owner']
/** Everybody who can create datasets in any workspace. */
export const allAdmins: readonly Who[] = ['owner', 'adminIn', 'adminOut']
