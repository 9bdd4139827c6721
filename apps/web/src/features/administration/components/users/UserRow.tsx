import type { User, UserRole } from '@postil/contract/people/users.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { EditIcon, FolderIcon, MinusIcon, MoreIcon, PlusIcon, SignOutIcon, TrashIcon, UserIcon } from '#ui/marks/icons.tsx'
import { Pill } from '#ui/marks/Pill.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { forgetDone } from '#ui/telling/done.ts'
import { toastProblem } from '#ui/telling/toast.ts'
import type { AdministrationCalls } from '../../api.ts'
import styles from '../AdministrationPage.module.css'
import { DeedDialog } from '../DeedDialog.tsx'
import { DeleteUserDialog } from './DeleteUserDialog.tsx'
import { EditUserDialog } from './EditUserDialog.tsx'
import { MembershipsDialog } from './MembershipsDialog.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { RoleDialog } from './RoleDialog.tsx'

const roles: readonly UserRole[] = ['owner', 'admin', 'annotator']

type Asked = 'edit' | 'workspaces' | 'password' | 'factor' | 'sessions' | 'deactivate' | 'delete'
type Props = { readonly user: User; readonly isMe: boolean; readonly calls: AdministrationCalls }

/** A user with what can be done about them. One's own role is for other owners to change. */
export const UserRow = ({ user, isMe, calls }: Props) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [wanted, setWanted] = useState<UserRole | null>(null)
  const names = [user.first_name, user.last_name ?? ''].filter((name) => name.trim() !== '').join(' ')
  const close = (): void => setAsked(null)
  const letIn = (): void => {
    forgetDone()
    const said = t('users.isActive', { username: user.username })
    calls.updateUser(user.id, { active: true }).then(() => announce(said), toastProblem)
  }
  const role = common(`user.role.${user.role}`)
  return (
    <li className={styles['row']} data-away={user.active ? undefined : ''}>
      <Avatar name={user.username} />
      <div className={styles['who']}>
        <span className={styles['name']}>
          <bdi>{user.username}</bdi>
          {isMe && <Pill>{t('users.you')}</Pill>}
          {!user.active && <Pill>{t('users.deactivated')}</Pill>}
        </span>
        <bdi className={styles['names']}>{names}</bdi>
      </div>
      {isMe ? (
        <span className={styles['role']}>{role}</span>
      ) : (
        <Select
          label={t('users.roleOf', { username: user.username })}
          value={user.role}
          options={roles.map((value) => ({ value, label: common(`user.role.${value}`) }))}
          onChange={setWanted}
        />
      )}
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label={t('users.menu', { username: user.username })} />}>
        <MenuItem icon={EditIcon} onSelect={() => setAsked('edit')}>
          {t('users.edit')}
        </MenuItem>
        {user.role !== 'owner' && (
          <MenuItem icon={FolderIcon} onSelect={() => setAsked('workspaces')}>
            {t('section.workspaces')}
          </MenuItem>
        )}
        <MenuItem icon={UserIcon} onSelect={() => setAsked('password')}>
          {t('users.newPassword')}
        </MenuItem>
        {!isMe && (
          <MenuItem icon={CloseIcon} onSelect={() => setAsked('factor')}>
            {t('users.removeFactor')}
          </MenuItem>
        )}
        {!isMe && user.active && (
          <MenuItem icon={SignOutIcon} onSelect={() => setAsked('sessions')}>
            {t('users.signOut')}
          </MenuItem>
        )}
        {!isMe && user.active && (
          <MenuItem icon={MinusIcon} onSelect={() => setAsked('deactivate')}>
            {t('users.deactivate')}
          </MenuItem>
        )}
        {!isMe && !user.active && (
          <MenuItem icon={PlusIcon} onSelect={letIn}>
            {t('users.activate')}
          </MenuItem>
        )}
        {!isMe && (
          <MenuItem icon={TrashIcon} onSelect={() => setAsked('delete')}>
            {t('users.delete')}
          </MenuItem>
        )}
      </Menu>
      {asked === 'edit' && <EditUserDialog user={user} calls={calls} onClose={close} />}
      {asked === 'workspaces' && <MembershipsDialog user={user} calls={calls} onClose={close} />}
      {asked === 'password' && <PasswordDialog user={user} calls={calls} onClose={close} />}
      {asked === 'factor' && (
        <DeedDialog
          title={t('users.removeFactorTitle', { username: user.username })}
          verb={t('users.removeFactor')}
          explain={t('users.removeFactorExplain')}
          said={t('users.factorRemoved', { username: user.username })}
          deed={() => calls.removeSecondFactor(user.id)}
          onClose={close}
        />
      )}
      {asked === 'sessions' && (
        <DeedDialog
          title={t('users.signOutTitle', { username: user.username })}
          verb={t('users.signOut')}
          explain={t('users.signOutExplain')}
          said={t('users.isSignedOut', { username: user.username })}
          deed={() => calls.endSessions(user.id)}
          onClose={close}
        />
      )}
      {asked === 'deactivate' && (
        <DeedDialog
          title={t('users.deactivateTitle', { username: user.username })}
          verb={t('users.deactivateVerb')}
          explain={t('users.deactivateExplain')}
          said={t('users.isDeactivated', { username: user.username })}
          deed={() => calls.updateUser(user.id, { active: false })}
          onClose={close}
        />
      )}
      {wanted && <RoleDialog user={user} role={wanted} calls={calls} onClose={() => setWanted(null)} />}
      {asked === 'delete' && <DeleteUserDialog user={user} calls={calls} onClose={close} />}
    </li>
  )
}
