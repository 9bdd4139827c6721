import type { User, UserRole } from '@postil/contract/people/users.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { AdministrationCalls } from '../../api.ts'
import { DeedDialog } from '../DeedDialog.tsx'

type Props = {
  readonly user: User
  readonly role: UserRole
  readonly calls: AdministrationCalls
  readonly onClose: () => void
}

/** Asks before somebody may do more, or less: a list is changed by one key. */
export const RoleDialog = ({ user, role, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const { username } = user
  const lost = user.role === 'owner' ? [t('users.roleTaken', { username })] : []
  return (
    <DeedDialog
      title={t(`users.roleTitle.${role}`, { username })}
      verb={t('users.roleVerb')}
      explain={[...lost, t(`users.roleExplain.${role}`)].join(' ')}
      said={t('users.hasRole', { username, role: common(`user.role.${role}`) })}
      deed={() => calls.updateUser(user.id, { role })}
      onClose={onClose}
    />
  )
}
