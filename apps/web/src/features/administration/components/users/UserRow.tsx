import type { PasswordLink } from '@postil/contract/people/account-links.ts'
import type { Person } from '@postil/contract/people/people.ts'
import type { User, UserRole } from '@postil/contract/people/users.ts'
import { useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { clearSuccess } from '#ui/feedback/success-toast.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import {
  CopyIcon,
  EditIcon,
  FolderIcon,
  MinusIcon,
  MoreIcon,
  PlusIcon,
  SignOutIcon,
  SuggestionIcon,
  TrashIcon,
  UserIcon,
} from '#ui/marks/icons.tsx'
import { Pill } from '#ui/marks/Pill.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import type { AdministrationCalls } from '../../api.ts'
import styles from '../AdministrationPage.module.css'
import { ConfirmActionDialog } from '../ConfirmActionDialog.tsx'
import { DeleteUserDialog } from './DeleteUserDialog.tsx'
import { EditUserDialog } from './EditUserDialog.tsx'
import { MembershipsDialog } from './MembershipsDialog.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { PasswordLinkDialog, RevokePasswordLinkDialog } from './PasswordLink.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import { RoleDialog } from './RoleDialog.tsx'

const roles: readonly UserRole[] = ['owner', 'admin', 'annotator']

type OpenDialog = 'edit' | 'workspaces' | 'password' | 'link' | 'noLink' | 'factor' | 'sessions' | 'deactivate' | 'delete'
type Props = {
  readonly user: User
  readonly isMe: boolean
  /** Undefined until it is loaded. */
  readonly person: Person | undefined
  /** The open link for a new password, if there is one. */
  readonly passwordLink: PasswordLink | undefined
  readonly calls: AdministrationCalls
}

/** A user with the available actions. Users can't change their own role; another owner can. */
export const UserRow = ({ user, isMe, person, passwordLink, calls }: Props) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [requestedRole, setRequestedRole] = useState<UserRole | null>(null)
  const names = [user.first_name, user.last_name ?? ''].filter((name) => name.trim() !== '').join(' ')
  const resetSecondFactor = (): void => {
    clearSuccess()
    const successText = t('users.isActive', { username: user.username })
    calls.updateUser(user.id, { active: true }).then(() => announce(successText), toastProblem)
  }
  const setAgent = (agent: boolean): void => {
    clearSuccess()
    const { username } = user
    const successText = agent ? t('users.isAgent', { username }) : t('users.isPerson', { username })
    calls.updateUser(user.id, { agent }).then(() => announce(successText), toastProblem)
  }
  const role = common(`user.role.${user.role}`)
  return (
    <li className={styles['row']} data-away={user.active ? undefined : ''}>
      <Avatar name={user.username} />
      <div className={styles['who']}>
        <span className={styles['name']}>
          <bdi>{user.username}</bdi>
          {isMe && <Pill>{t('users.you')}</Pill>}
          {user.agent && <Pill>{t('users.agent')}</Pill>}
          {!user.active && <Pill>{t('users.deactivated')}</Pill>}
        </span>
        <bdi className={styles['names']}>{names}</bdi>
        {person && <PersonFacts person={person} />}
        {passwordLink && (
          <span className={styles['facts']}>{t('links.openUntil', { time: formatDateTime(passwordLink.expires_at) })}</span>
        )}
      </div>
      {isMe ? (
        <span className={styles['role']}>{role}</span>
      ) : (
        <Select
          label={t('users.roleOf', { username: user.username })}
          value={user.role}
          options={roles.map((value) => ({ value, label: common(`user.role.${value}`) }))}
          onChange={setRequestedRole}
        />
      )}
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label={t('users.menu', { username: user.username })} />}>
        <MenuItem icon={EditIcon} onSelect={() => setOpenDialog('edit')}>
          {t('users.edit')}
        </MenuItem>
        {user.role !== 'owner' && (
          <MenuItem icon={FolderIcon} onSelect={() => setOpenDialog('workspaces')}>
            {t('section.workspaces')}
          </MenuItem>
        )}
        <MenuItem icon={UserIcon} onSelect={() => setOpenDialog('password')}>
          {t('users.newPassword')}
        </MenuItem>
        {!isMe && user.active && (
          <MenuItem icon={CopyIcon} onSelect={() => setOpenDialog('link')}>
            {t('links.password')}
          </MenuItem>
        )}
        {passwordLink && (
          <MenuItem icon={CloseIcon} onSelect={() => setOpenDialog('noLink')}>
            {t('links.revokeItem')}
          </MenuItem>
        )}
        {!isMe && (
          <MenuItem icon={CloseIcon} onSelect={() => setOpenDialog('factor')}>
            {t('users.removeFactor')}
          </MenuItem>
        )}
        {!isMe && user.active && (
          <MenuItem icon={SignOutIcon} onSelect={() => setOpenDialog('sessions')}>
            {t('users.signOut')}
          </MenuItem>
        )}
        {!isMe && (
          <MenuItem icon={SuggestionIcon} onSelect={() => setAgent(!user.agent)}>
            {user.agent ? t('users.makePerson') : t('users.makeAgent')}
          </MenuItem>
        )}
        {!isMe && user.active && (
          <MenuItem icon={MinusIcon} onSelect={() => setOpenDialog('deactivate')}>
            {t('users.deactivate')}
          </MenuItem>
        )}
        {!isMe && !user.active && (
          <MenuItem icon={PlusIcon} onSelect={resetSecondFactor}>
            {t('users.activate')}
          </MenuItem>
        )}
        {!isMe && (
          <MenuItem icon={TrashIcon} onSelect={() => setOpenDialog('delete')}>
            {t('users.delete')}
          </MenuItem>
        )}
      </Menu>
      {requestedRole && <RoleDialog user={user} role={requestedRole} calls={calls} onClose={() => setRequestedRole(null)} />}
      {openDialog && <UserDialog dialog={openDialog} user={user} calls={calls} onClose={() => setOpenDialog(null)} />}
    </li>
  )
}

type DialogProps = {
  readonly dialog: OpenDialog
  readonly user: User
  readonly calls: AdministrationCalls
  readonly onClose: () => void
}

const UserDialog = ({ dialog, user, calls, onClose }: DialogProps) => {
  const { t } = useTranslation('features/administration')
  return (
    <>
      {dialog === 'edit' && <EditUserDialog user={user} calls={calls} onClose={onClose} />}
      {dialog === 'workspaces' && <MembershipsDialog user={user} calls={calls} onClose={onClose} />}
      {dialog === 'password' && <PasswordDialog user={user} calls={calls} onClose={onClose} />}
      {dialog === 'link' && <PasswordLinkDialog user={user} onClose={onClose} />}
      {dialog === 'noLink' && <RevokePasswordLinkDialog user={user} onClose={onClose} />}
      {dialog === 'factor' && (
        <ConfirmActionDialog
          title={t('users.removeFactorTitle', { username: user.username })}
          confirmLabel={t('users.removeFactor')}
          explanation={t('users.removeFactorExplain')}
          successText={t('users.factorRemoved', { username: user.username })}
          action={() => calls.removeSecondFactor(user.id)}
          onClose={onClose}
        />
      )}
      {dialog === 'sessions' && (
        <ConfirmActionDialog
          title={t('users.signOutTitle', { username: user.username })}
          confirmLabel={t('users.signOut')}
          explanation={t('users.signOutExplain')}
          successText={t('users.isSignedOut', { username: user.username })}
          action={() => calls.endSessions(user.id)}
          onClose={onClose}
        />
      )}
      {dialog === 'deactivate' && (
        <ConfirmActionDialog
          title={t('users.deactivateTitle', { username: user.username })}
          confirmLabel={t('users.deactivateVerb')}
          explanation={t('users.deactivateExplain')}
          successText={t('users.isDeactivated', { username: user.username })}
          action={() => calls.updateUser(user.id, { active: false })}
          onClose={onClose}
        />
      )}
      {dialog === 'delete' && <DeleteUserDialog user={user} calls={calls} onClose={onClose} />}
    </>
  )
}
