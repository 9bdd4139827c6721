import { getComparisons } from '@postil/contract/comparisons.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as comparisons from './service.ts'

export const comparisonRoutes: readonly Registration[] = [
  route(getComparisons, ({ ctx, user, params, query }) => comparisons.report(ctx, user, params.dataset_id, query)),
]
