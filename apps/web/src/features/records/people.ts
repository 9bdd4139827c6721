import type { User } from '@postil/contract/people/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { workspaceUsersQuery } from '#lib/api/dataset-queries.ts'
import { usersQuery } from './api.ts'

export type People = {
  readonly all: readonly { readonly id: string; readonly username: string }[]
  /** The people to whom records can be assigned. */
  readonly members: readonly { readonly id: string; readonly username: string }[]
  readonly nameOf: (id: string | null) => string
}

const noUsers: readonly User[] = []

export const usePeople = (workspaceId: string): People => {
  const { t } = useTranslation('features/records')
  const seesAll = useUser().role === 'owner'
  const { data: members = noUsers } = useQuery(workspaceUsersQuery(workspaceId))
  // Owners can answer without being members.
  const { data: users } = useQuery({ ...usersQuery, enabled: seesAll })
  const all = (seesAll ? users : members) ?? noUsers
  return useMemo(() => {
    const names = new Map(all.map(({ id, username }) => [id, username]))
    const canAnswer = ({ active, agent }: User) => active && !agent
    return { all, members: members.filter(canAnswer), nameOf: (id) => names.get(id ?? '') ?? t('formerPerson') }
  }, [all, members, t])
}
