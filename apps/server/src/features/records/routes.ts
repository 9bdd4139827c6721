import {
  createRecordsWith,
  deleteRecord,
  deleteRecords,
  getRecord,
  listRecords,
  updateRecordWith,
  upsertRecordsWith,
} from '@postil/contract/records.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { type Registration, route } from '#platform/http/route.ts'
import { createBody, updateBody, upsertBody } from './bulk/bodies.ts'
import * as records from './service.ts'

export const recordRoutes = (limits: Limits): readonly Registration[] => [
  route(listRecords, ({ ctx, user, params, query }) => records.listRecords(ctx, user, params.dataset_id, query)),
  route(createRecordsWith(limits), ({ ctx, user, params, body }) => records.createRecords(ctx, user, params.dataset_id, body), {
    body: createBody,
  }),
  route(upsertRecordsWith(limits), ({ ctx, user, params, body }) => records.upsertRecords(ctx, user, params.dataset_id, body), {
    body: upsertBody,
  }),
  route(deleteRecords, ({ ctx, user, params, query }) => records.deleteRecords(ctx, user, params.dataset_id, query.ids)),
  route(getRecord, ({ ctx, user, params }) => records.getRecord(ctx, user, params.record_id)),
  route(updateRecordWith(limits), ({ ctx, user, params, body }) => records.updateRecord(ctx, user, params.record_id, body), {
    body: updateBody,
  }),
  route(deleteRecord, ({ ctx, user, params }) => records.deleteRecord(ctx, user, params.record_id)),
]
