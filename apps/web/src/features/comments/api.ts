import type { Comment, CommentUpdate } from '@postil/contract/comments.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheDefault } from '#lib/constants.ts'

/** The comments on a record, oldest first. */
export const commentsQuery = (recordId: string) =>
  queryOptions({
    queryKey: ['record', recordId, 'comments'],
    queryFn: async ({ signal }) =>
      (await call('GET /records/:record_id/comments', { params: { record_id: recordId }, signal })).items,
    staleTime: cacheDefault,
  })

/** The comments in open threads that mention the user. */
export const mentionsQuery = () =>
  queryOptions({
    queryKey: ['mentions'],
    queryFn: async ({ signal }) => (await call('GET /me/mentions', { signal })).items,
    staleTime: cacheDefault,
  })

type NewComment = { readonly text: string; readonly question?: string | null; readonly parent?: string }

/** @throws ApiError */
export const addComment = (recordId: string, { text, question = null, parent }: NewComment): Promise<Comment> =>
  call('POST /records/:record_id/comments', {
    params: { record_id: recordId },
    body: { text, ...(question !== null && { about: { question } }), ...(parent !== undefined && { parent }) },
  })

/** @throws ApiError */
export const changeComment = ({ record_id, id }: Comment, body: CommentUpdate): Promise<Comment> =>
  call('PATCH /records/:record_id/comments/:comment_id', { params: { record_id, comment_id: id }, body })

/** @throws ApiError */
export const removeComment = ({ record_id, id }: Comment): Promise<void> =>
  call('DELETE /records/:record_id/comments/:comment_id', { params: { record_id, comment_id: id } })
