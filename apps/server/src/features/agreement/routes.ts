import { getAgreement, getConfusion } from '@postil/contract/agreement.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as agreement from './service.ts'

export const agreementRoutes: readonly Registration[] = [
  route(getAgreement, ({ ctx, user, params, query }) => agreement.agreementOf(ctx, user, params.dataset_id, query)),
  route(getConfusion, ({ ctx, user, params, query }) => agreement.confusionOf(ctx, user, params.question_id, query)),
]
