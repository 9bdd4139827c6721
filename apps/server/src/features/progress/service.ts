import type { AnnotationSetup } from '@postil/contract/annotation-setup.ts'
import type { Home } from '@postil/contract/home.ts'
import type { DatasetProgress, MyMetrics, UsersProgress } from '@postil/contract/progress.ts'
import type { Actor } from '#features/datasets/service.ts'
import type { Store } from '#platform/db/store.ts'
import { annotationSetup } from './annotation-setup.ts'
import { home } from './home.ts'
import * as queries from './queries.ts'

type Ctx = { readonly store: Store }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

/** @throws Problem not_found, forbidden */
export const getProgress = (ctx: Ctx, user: Actor, dataset_id: string): Promise<DatasetProgress> =>
  ctx.store.read(queries.datasetProgress, { user: actorOf(user), dataset_id })

/** @throws Problem not_found, forbidden */
export const getUsersProgress = (ctx: Ctx, user: Actor, dataset_id: string): Promise<UsersProgress> =>
  ctx.store.read(queries.usersProgress, { user: actorOf(user), dataset_id })

/** @throws Problem not_found, forbidden */
export const getMyMetrics = (ctx: Ctx, user: Actor, dataset_id: string): Promise<MyMetrics> =>
  ctx.store.read(queries.myMetrics, { user: actorOf(user), dataset_id })

export const getHome = (ctx: Ctx, user: Actor): Promise<Home> => ctx.store.read(home, { user: actorOf(user) })

/** @throws Problem not_found, forbidden */
export const getAnnotationSetup = (ctx: Ctx, user: Actor, dataset_id: string): Promise<AnnotationSetup> =>
  ctx.store.read(annotationSetup, { user: actorOf(user), dataset_id })
