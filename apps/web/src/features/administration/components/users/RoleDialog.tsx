import type { User, UserRole } from '@postil/contract/people/users.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { AdministrationCalls } from '../../api.ts'
import { ConfirmActionDialog } from '../ConfirmActionDialog.tsx'

type Props = {
  readonly user: User
  readonly role: UserRole
  readonly calls: AdministrationCalls
  readonly onClose: () => void
}

/** Asks for confirmation before a role change, because a single key press can change a select. */
export const RoleDialog = ({ user, role, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const { username } = user
  const lostMemberships = user.role === 'owner' ? [t('users.roleTaken', { username })] : []
  return (
    <ConfirmActionDialog
      title={t(`users.roleTitle.${role}`, { username })}
      confirmLabel={t('users.roleVerb')}
      explanation={[...lostMemberships, t(`users.roleExplain.${role}`)].join(' ')}
      successText={t('users.hasRole', { username, role: common(`user.role.${role}`) })}
      action={() => calls.updateUser(user.id, { role })}
      onClose={onClose}
    />
  )
}
