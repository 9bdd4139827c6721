import { listAudit } from '@postil/contract/audit.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as audit from './service.ts'

export const auditRoutes: readonly Registration[] = [route(listAudit, ({ ctx, user, query }) => audit.list(ctx, user, query))]
