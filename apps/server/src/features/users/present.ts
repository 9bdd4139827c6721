import type { User as UserPayload } from '@postil/contract/people/users.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { User } from '#platform/auth/user.ts'
import { printTime } from '#platform/time.ts'
import { userPolicy } from './policy.ts'
import type { UserRow } from './rows.ts'

/** Returns a user in wire format for `viewer`. Only the user and owners see the API key. */
export const presentUser = (secrets: Secrets, viewer: User, row: UserRow): UserPayload => ({
  id: row.id,
  first_name: row.first_name,
  last_name: row.last_name,
  username: row.username,
  role: row.role,
  api_key: userPolicy.seeApiKey(viewer, row.id) ? (secrets.decrypt(row.api_key_sealed) ?? '') : '',
  active: row.deactivated_at === null,
  inserted_at: printTime(row.inserted_at),
  updated_at: printTime(row.updated_at),
})
