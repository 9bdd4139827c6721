import { getAnnotationSetup } from '@postil/contract/annotation-setup.ts'
import { getHome } from '@postil/contract/home.ts'
import { getMyMetrics, getProgress, getUsersProgress } from '@postil/contract/progress.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { annotationSetup } from './annotation-setup.ts'
import { home } from './home.ts'
import * as queries from './queries.ts'

export const progressRoutes: readonly Registration[] = [
  route(getProgress, ({ ctx, user, params }) => ctx.store.read(queries.datasetProgress, { user: actorOf(user), ...params })),
  route(getUsersProgress, ({ ctx, user, params }) => ctx.store.read(queries.usersProgress, { user: actorOf(user), ...params })),
  route(getMyMetrics, ({ ctx, user, params }) => ctx.store.read(queries.myMetrics, { user: actorOf(user), ...params })),
  route(getHome, ({ ctx, user }) => ctx.store.read(home, { user: actorOf(user) })),
  route(getAnnotationSetup, ({ ctx, user, params }) => ctx.store.read(annotationSetup, { user: actorOf(user), ...params })),
]
