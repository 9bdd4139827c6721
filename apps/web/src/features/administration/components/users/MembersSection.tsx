import type { Person } from '@postil/contract/people/people.ts'
import type { User } from '@postil/contract/people/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { MoreIcon, SearchIcon, UserIcon } from '#ui/marks/icons.tsx'
import { Pill } from '#ui/marks/Pill.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { peopleQuery, workspacesQuery } from '../../api.ts'
import { matchUsers } from '../../match-users.ts'
import styles from '../AdministrationPage.module.css'
import { ConfirmActionDialog } from '../ConfirmActionDialog.tsx'
import { Invitations } from '../invitations/Invitations.tsx'
import { InviteDialog } from '../invitations/InviteDialog.tsx'
import { SectionHeader } from '../SectionHeader.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import { searchFrom } from './UsersSection.tsx'

type Props = { readonly calls: AdministrationCalls; readonly me: User }

/** The members of an admin's workspaces. Only owners can add existing users, as in Argilla's API. */
export const MembersSection = ({ calls, me }: Props) => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(peopleQuery())
  const { data: people } = read
  const { data: workspaces = [] } = useQuery(workspacesQuery())
  const [search, setSearch] = useState('')
  const [isInviting, setInviting] = useState(false)
  const error = blockingError(read)
  if (error) throw error
  const found = people ? matchUsers(people, search) : []
  return (
    <>
      <SectionHeader title={t('people.title')} count={people?.length}>
        <Button look="primary" icon={UserIcon} onClick={() => setInviting(true)}>
          {t('invitations.add')}
        </Button>
      </SectionHeader>
      <p className={styles['none']}>{t('people.explain')}</p>
      {people && people.length >= searchFrom && (
        <Input
          label={t('people.search')}
          hideLabel
          type="search"
          placeholder={t('people.search')}
          before={<SearchIcon />}
          className={styles['search']}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {!people && <Skeleton height="9lh" />}
      {people && found.length === 0 && <p className={styles['none']}>{t('people.noneFound', { search })}</p>}
      <ul className={styles['list']} aria-labelledby="section-title">
        {found.map((person) => (
          <MemberRow key={person.id} person={person} isMe={person.id === me.id} calls={calls} />
        ))}
      </ul>
      <Invitations />
      {isInviting && <InviteDialog workspaces={workspaces} isAdmin onClose={() => setInviting(false)} />}
    </>
  )
}

type RowProps = { readonly person: Person; readonly isMe: boolean; readonly calls: AdministrationCalls }

const MemberRow = ({ person, isMe, calls }: RowProps) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const [leaving, setLeaving] = useState<Person['workspaces'][number] | null>(null)
  const { id, username, first_name, last_name, role, active, agent, workspaces } = person
  const names = [first_name, last_name ?? ''].filter((name) => name.trim() !== '').join(' ')
  return (
    <li className={styles['row']} data-away={active ? undefined : ''}>
      <Avatar name={username} />
      <div className={styles['who']}>
        <span className={styles['name']}>
          <bdi>{username}</bdi>
          {isMe && <Pill>{t('users.you')}</Pill>}
          {agent && <Pill>{t('users.agent')}</Pill>}
          {!active && <Pill>{t('users.deactivated')}</Pill>}
        </span>
        <bdi className={styles['names']}>{names}</bdi>
        <PersonFacts person={person} />
      </div>
      <span className={styles['role']}>{common(`user.role.${role}`)}</span>
      {!isMe && (
        <Menu align="end" trigger={<IconButton icon={MoreIcon} label={t('users.menu', { username })} />}>
          {workspaces.map((workspace) => (
            <MenuItem key={workspace.id} icon={CloseIcon} onSelect={() => setLeaving(workspace)}>
              {t('people.remove', { name: workspace.name })}
            </MenuItem>
          ))}
        </Menu>
      )}
      {leaving && (
        <ConfirmActionDialog
          title={t('people.removeTitle', { username, name: leaving.name })}
          confirmLabel={t('people.removeVerb')}
          explanation={t('people.removeExplain')}
          successText={t('workspaces.left', { username, name: leaving.name })}
          action={() => calls.removeMember(leaving.id, id)}
          onClose={() => setLeaving(null)}
        />
      )}
    </li>
  )
}
