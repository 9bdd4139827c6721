import type { User } from '@postil/contract/people/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { PlusIcon, SearchIcon, UserIcon } from '#ui/marks/icons.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { peopleQuery, usersQuery, workspacesQuery } from '../../api.ts'
import { passwordLinksQuery } from '../../invitations-api.ts'
import { matchUsers } from '../../match-users.ts'
import styles from '../AdministrationPage.module.css'
import { Invitations } from '../invitations/Invitations.tsx'
import { InviteDialog } from '../invitations/InviteDialog.tsx'
import { SectionHeader } from '../SectionHeader.tsx'
import { NewUserDialog } from './NewUserDialog.tsx'
import { UserRow } from './UserRow.tsx'

/** The minimum number of users for which a search box is shown. */
export const searchFrom = 8

type Props = { readonly calls: AdministrationCalls; readonly me: User }

/** All users of the server. */
export const UsersSection = ({ calls, me }: Props) => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(usersQuery())
  const { data: users } = read
  const [search, setSearch] = useState('')
  const [dialog, setDialog] = useState<'add' | 'invite' | null>(null)
  const { data: workspaces = [] } = useQuery(workspacesQuery())
  const { data: passwordLinks = [] } = useQuery(passwordLinksQuery())
  const { data: people = [] } = useQuery(peopleQuery())
  const personOf = new Map(people.map((person) => [person.id, person]))
  const linkOf = new Map(passwordLinks.map((link) => [link.user.id, link]))
  const close = (): void => setDialog(null)
  const error = blockingError(read)
  if (error) throw error
  const found = users ? matchUsers(users, search) : []
  return (
    <>
      <SectionHeader title={t('section.users')} count={users?.length}>
        <span className={styles['actions']}>
          <Button icon={PlusIcon} onClick={() => setDialog('add')}>
            {t('users.add')}
          </Button>
          <Button look="primary" icon={UserIcon} onClick={() => setDialog('invite')}>
            {t('invitations.add')}
          </Button>
        </span>
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
          <UserRow
            key={user.id}
            user={user}
            isMe={user.id === me.id}
            person={personOf.get(user.id)}
            passwordLink={linkOf.get(user.id)}
            calls={calls}
          />
        ))}
      </ul>
      <Invitations />
      {dialog === 'add' && <NewUserDialog calls={calls} onClose={close} />}
      {dialog === 'invite' && <InviteDialog workspaces={workspaces} isAdmin={false} onClose={close} />}
    </>
  )
}
