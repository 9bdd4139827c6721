import { defineEndpoint } from '@postil/contract/wire/define-endpoint.ts'
import { int, text } from '@postil/contract/wire/scalars.ts'
import { z } from 'zod'
import { publicRoute, route } from '../route.ts'

/** Additional test routes for behavior that no product route shows in isolation. */
export const echoed = defineEndpoint({
  id: 'testing.echo',
  method: 'POST',
  path: '/echo/:id',
  query: z.object({ page: int({ ge: 1 }).optional() }),
  body: z.object({ name: text({ min: 1 }), tags: z.array(text()).default([]) }),
  status: 201,
  result: z.strictObject({
    id: z.string(),
    page: z.int().nullable(),
    name: z.string(),
    tags: z.array(z.string()),
    username: z.string(),
  }),
  summary: 'Return the input',
})
export const echo = route(echoed, ({ params, query, body, user }) => ({
  id: params.id,
  page: query.page ?? null,
  username: user.username,
  ...body,
}))

const textEndpoint = defineEndpoint({
  id: 'testing.text',
  method: 'GET',
  path: '/text/:length',
  params: { length: text() },
  access: 'none',
  result: z.strictObject({ text: z.string() }),
  summary: 'Return a text of the given length',
})
export const someText = publicRoute(textEndpoint, ({ params }) => ({ text: 'x'.repeat(Number(params.length)) }))

export const answering = (path: string, answer: () => unknown, result: z.ZodType = z.unknown()) =>
  publicRoute(
    defineEndpoint({
      id: `testing.${path}`,
      method: 'GET',
      path: path as '/path',
      access: 'none',
      result,
      errors: [400, 403, 404, 405, 409],
      summary: 'Return a response',
    }),
    answer as never,
  )
