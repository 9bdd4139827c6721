import { getInsights } from '@postil/contract/insights.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as insights from './service.ts'

export const insightsRoutes: readonly Registration[] = [
  route(getInsights, ({ ctx, user, params, query }) => insights.insightsOf(ctx, user, params.dataset_id, query)),
]
