import type { Response } from '@postil/testkit/client.ts'
import type { ApiFixture, Who } from '../fixture.ts'
import type { Sent } from '../send.ts'

/** One line of the permission matrix. */
export type Action = {
  /** ID of the endpoint. */
  readonly id: string
  /** Distinguishes the lines of a route that has several. */
  readonly what?: string
  readonly allowed: readonly Who[]
  /**
   * The response for an object that does not exist. `found first` is 404 for everybody. `allowed first` is 404 only for the
   * owner; others don't learn that it is missing. Omitted if the route names no object in its path.
   */
  readonly missing?: 'found first' | 'allowed first'
  /** A request that succeeds once for each allowed user. */
  readonly request: (fixture: ApiFixture, who: Who) => Sent | Promise<Sent>
  /** The request differs for each user. */
  readonly personal?: true
  /** The request carries its own credentials. */
  readonly anonymous?: true
  /** The response repeats what the caller wrote, also after they left the workspace. */
  readonly echoes?: true
  /** The effective status of a response, for bulk requests that report it per item. */
  readonly outcome?: (answer: Response<unknown>) => number
}

export const everyone: readonly Who[] = ['owner', 'adminIn', 'adminOut', 'annotatorIn', 'annotatorOut']
export const members: readonly Who[] = ['owner', 'adminIn', 'annotatorIn']
export const admins: readonly Who[] = ['owner', 'adminIn']
export const owners: readonly Who[] = ['owner']
/** Everybody who can create datasets, in whichever workspace. */
export const allAdmins: readonly Who[] = ['owner', 'adminIn', 'adminOut']
