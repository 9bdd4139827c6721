import { labelNotes, listNoteGroups } from '@postil/contract/notes.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as notes from './service.ts'

export const noteRoutes: readonly Registration[] = [
  route(listNoteGroups, ({ ctx, user, params, query }) => notes.noteGroups(ctx, user, params.dataset_id, query)),
  route(labelNotes, ({ ctx, user, params, body }) => notes.label(ctx, user, params.dataset_id, body)),
]
