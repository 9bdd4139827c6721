import { downloadRecords } from '@postil/contract/files/files.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as files from './service.ts'

export const exportRoutes: readonly Registration[] = [
  route(downloadRecords, ({ ctx, user, params, query }) => files.download(ctx, user, params.dataset_id, query)),
]
