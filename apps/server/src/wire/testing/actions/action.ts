import type { Response } from '@postil/testkit/client.ts'
import type { Sent } from '../send.ts'
import type { Stage, Who } from '../stage.ts'

/** One line of the permission matrix. */
export type Action = {
  /** Id of the endpoint. */
  readonly id: string
  /** What of the route is meant, where it has several lines. */
  readonly what?: string
  readonly allowed: readonly Who[]
  /**
   * What an object that does not exist is answered with: `found first` is 404 for everybody; `allowed first` is 404 only
   * for the owner, and others are not told. Left out: the route names no object in its path.
   */
  readonly missing?: 'found first' | 'allowed first'
  /** A request that succeeds once, for whoever is allowed. */
  readonly request: (stage: Stage, who: Who) => Sent | Promise<Sent>
  /** The request is another one for each person. */
  readonly personal?: true
  /** The request carries credentials of its own. */
  readonly anonymous?: true
  /** The answer gives back what the caller wrote, also after leaving the workspace. */
  readonly echoes?: true
  /** The status that an answer amounts to, for bulks that tell it per item. */
  readonly outcome?: (answer: Response<unknown>) => number
}

export const everyone: readonly Who[] = ['owner', 'adminIn', 'adminOut', 'annotatorIn', 'annotatorOut']
export const members: readonly Who[] = ['owner', 'adminIn', 'annotatorIn']
export const admins: readonly Who[] = ['owner', 'adminIn']
export const owners: readonly Who[] = ['owner']
/** Whoever may make datasets, wherever. */
export const allAdmins: readonly Who[] = ['owner', 'adminIn', 'adminOut']
