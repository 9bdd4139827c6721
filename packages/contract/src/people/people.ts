import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { itemsOf, printedDatetime, printedUuid } from '../wire/scalars.ts'
import { UserRole } from './users.ts'

/** A user as shown to owners, and to the admins of the user's workspaces. */
export const Person = z.strictObject({
  id: printedUuid(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string().nullable(),
  role: UserRole,
  /** False if the user may not sign in. */
  active: z.boolean(),
  /** Whether the user is a program. Agents can't answer. */
  agent: z.boolean(),
  /** The workspaces that the user is a member of. Admins see only the workspaces that they share with the user. */
  workspaces: z.array(z.strictObject({ id: printedUuid(), name: z.string() })),
  /** When the user last sent a request, by any means. Accurate to five minutes. Null if never. */
  last_active_at: printedDatetime().nullable(),
  /** Whether two-factor authentication is on. */
  second_factor: z.boolean(),
})
export type Person = z.infer<typeof Person>

export const listPeople = defineEndpoint({
  id: 'people.list',
  method: 'GET',
  path: '/people',
  result: itemsOf(Person),
  errors: [403],
  addition: true,
  summary: "List all users (owners) or the members of the caller's workspaces (admins), oldest first",
})

export const peopleEndpoints = [listPeople] as const
