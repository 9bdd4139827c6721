import type { User } from '@postil/contract/people/users.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { clearSuccess } from '#ui/feedback/success-toast.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { usersQuery } from '../../api.ts'
import styles from '../AdministrationPage.module.css'

type Props = { readonly workspace: Workspace; readonly members: readonly User[]; readonly calls: AdministrationCalls }

/** The members of a workspace. The list of users to add leaves out owners, because owners need no membership. */
export const Members = ({ workspace, members, calls }: Props) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const { data: users = [] } = useQuery(usersQuery())
  const [chosen, setChosen] = useState('')
  const memberIds = new Set(members.map(({ id }) => id))
  const others = users.filter(({ id, role }) => role !== 'owner' && !memberIds.has(id))
  const selectedUser = others.find(({ id }) => id === chosen) ?? others[0]
  const add = (user: User): void => {
    clearSuccess()
    calls
      .addMember(workspace.id, user.id)
      .then(() => announce(t('workspaces.joined', { username: user.username, name: workspace.name })), toastProblem)
  }
  const remove = (user: User): void => {
    clearSuccess()
    calls
      .removeMember(workspace.id, user.id)
      .then(() => announce(t('workspaces.left', { username: user.username, name: workspace.name })), toastProblem)
  }
  return (
    <div className={styles['members']}>
      {members.length === 0 && <p className={styles['none']}>{t('workspaces.noMembers')}</p>}
      <ul className={styles['memberList']} aria-label={t('workspaces.membersOf', { name: workspace.name })}>
        {members.map((user) => (
          <li key={user.id} className={styles['member']}>
            <bdi>{user.username}</bdi>
            <span className={styles['memberRole']}>{common(`user.role.${user.role}`)}</span>
            <IconButton
              icon={CloseIcon}
              label={t('workspaces.remove', { username: user.username, name: workspace.name })}
              onClick={() => remove(user)}
            />
          </li>
        ))}
      </ul>
      {selectedUser && (
        <div className={styles['addMember']}>
          <Select
            label={t('workspaces.whom', { name: workspace.name })}
            value={selectedUser.id}
            options={others.map(({ id, username }) => ({ value: id, label: username }))}
            onChange={setChosen}
          />
          <Button icon={PlusIcon} onClick={() => add(selectedUser)}>
            {t('workspaces.addMember')}
          </Button>
        </div>
      )}
    </div>
  )
}
