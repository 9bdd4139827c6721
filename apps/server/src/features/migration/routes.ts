import { listCopiedRows } from '@postil/contract/copied-rows.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { type Registration, route } from '#platform/http/route.ts'
import { copiedRows } from './copied-rows.ts'

export const migrationRoutes: readonly Registration[] = [
  route(listCopiedRows, ({ ctx, user, params, query }) =>
    ctx.store.read(copiedRows, { user: actorOf(user), dataset_id: params.dataset_id, ...query }),
  ),
]
