import { getAnnotationSetup } from '@postil/contract/annotation-setup.ts'
import { getHome } from '@postil/contract/home.ts'
import { getMyMetrics, getProgress, getUsersProgress } from '@postil/contract/progress.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as progress from './service.ts'

export const progressRoutes: readonly Registration[] = [
  route(getProgress, ({ ctx, user, params }) => progress.getProgress(ctx, user, params.dataset_id)),
  route(getUsersProgress, ({ ctx, user, params }) => progress.getUsersProgress(ctx, user, params.dataset_id)),
  route(getMyMetrics, ({ ctx, user, params }) => progress.getMyMetrics(ctx, user, params.dataset_id)),
  route(getHome, ({ ctx, user }) => progress.getHome(ctx, user)),
  route(getAnnotationSetup, ({ ctx, user, params }) => progress.getAnnotationSetup(ctx, user, params.dataset_id)),
]
