import type { User } from '@postil/contract/people/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { PlusIcon, SearchIcon } from '#ui/marks/icons.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { usersQuery } from '../../api.ts'
import { matchUsers } from '../../match-users.ts'
import styles from '../AdministrationPage.module.css'
import { SectionHeader } from '../SectionHeader.tsx'
import { NewUserDialog } from './NewUserDialog.tsx'
import { UserRow } from './UserRow.tsx'

/** The minimum number of users for which a search box is shown. */
const searchFrom = 8

type Props = { readonly calls: AdministrationCalls; readonly me: User }

/** All users of the server. */
export const UsersSection = ({ calls, me }: Props) => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(usersQuery())
  const { data: users } = read
  const [search, setSearch] = useState('')
  const [isAdding, setAdding] = useState(false)
  const error = blockingError(read)
  if (error) throw error
  const found = users ? matchUsers(users, search) : []
  return (
    <>
      <SectionHeader title={t('section.users')} count={users?.length}>
        <Button look="primary" icon={PlusIcon} onClick={() => setAdding(true)}>
          {t('users.add')}
        </Button>
      </SectionHeader>
      {users && users.length >= searchFrom && (
        <Input
          label={t('users.search')}
          hideLabel
          type="search"
          placeholder={t('users.search')}
          before={<SearchIcon />}
          className={styles['search']}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {!users && <Skeleton height="9lh" />}
      {users && found.length === 0 && <p className={styles['none']}>{t('users.noneFound', { search })}</p>}
      <ul className={styles['list']} aria-labelledby="section-title">
        {found.map((user) => (
          <UserRow key={user.id} user={user} isMe={user.id === me.id} calls={calls} />
        ))}
      </ul>
      {isAdding && <NewUserDialog calls={calls} onClose={() => setAdding(false)} />}
    </>
  )
}
