import type { Person } from '@postil/contract/people/people.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { AppContext } from '#context.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { User } from '#platform/auth/user.ts'
import { printTime } from '#platform/time.ts'
import { peoplePolicy } from './policy.ts'
import * as queries from './queries.ts'

/** @throws Problem forbidden */
export const listPeople = async (ctx: AppContext, user: User): Promise<{ items: Person[] }> => {
  if (!peoplePolicy.list(user)) throw forbidden()
  const rows = await ctx.store.read(queries.listPeople, actorOf(user))
  const items = rows.map(({ deactivated_at, is_agent, last_active_at, factor, workspaces, ...row }) => ({
    ...row,
    active: deactivated_at === null,
    agent: is_agent,
    workspaces: [...workspaces],
    last_active_at: last_active_at === null ? null : printTime(last_active_at),
    second_factor: factor !== null,
  }))
  return { items }
}
