import * as contract from '@postil/contract/saved-views.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as views from './service.ts'

export const savedViewRoutes: readonly Registration[] = [
  route(contract.listSavedViews, ({ ctx, user, params }) => views.listViews(ctx, user, params.dataset_id)),
  route(contract.createSavedView, ({ ctx, user, params, body }) => views.createView(ctx, user, params.dataset_id, body)),
  route(contract.updateSavedView, ({ ctx, user, params, body }) => views.updateView(ctx, user, params, body)),
  route(contract.deleteSavedView, ({ ctx, user, params }) => views.deleteView(ctx, user, params)),
]
