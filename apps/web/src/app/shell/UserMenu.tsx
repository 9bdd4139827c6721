import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { signOut, useUser } from '#features/auth/public.ts'
import { languageName, languages } from '#i18n/languages.ts'
import { changeLanguage } from '#i18n/setup.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { Theme } from '#lib/prefs/preferences.ts'
import { themes } from '#lib/prefs/preferences.ts'
import { changeTheme, useTheme } from '#lib/prefs/theme.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Avatar } from '#ui/marks/Avatar.tsx'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { BookIcon, ContrastIcon, GearIcon, MoonIcon, ScreenIcon, SignOutIcon, SunIcon, UserIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuChoice, MenuItem, MenuSeparator } from '#ui/overlays/MenuItems.tsx'
import { SignOutDialog } from './SignOutDialog.tsx'
import styles from './UserMenu.module.css'

/** Signs out. Asks first if answers have not reached the server. */
const useSignOut = () => {
  const user = useUser()
  const queryClient = useQueryClient()
  const router = useRouter()
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => signOut(queryClient),
    onSuccess: async () => {
      outbox.stop()
      await router.navigate({ to: '/sign-in' })
    },
  })
  return {
    /** Whether the dialog is open. */
    isConfirming,
    isPending,
    requestSignOut: async (): Promise<void> => {
      const counts = await outbox.unsentCounts(user.id)
      if (counts.waiting + counts.issues === 0) mutate()
      else setConfirming(true)
    },
    cancel: () => setConfirming(false),
    confirm: () => mutate(),
  }
}

const themeIcons: { readonly [T in Theme]: Icon } = {
  system: ScreenIcon,
  light: SunIcon,
  dark: MoonIcon,
  'high-contrast': ContrastIcon,
}

export const UserMenu = () => {
  const { t, language } = useTranslation()
  const user = useUser()
  const theme = useTheme()
  const navigate = useNavigate()
  const { requestSignOut, isConfirming: isAsking, cancel, confirm, isPending } = useSignOut()
  return (
    <>
      <Menu
        align="end"
        trigger={
          <button type="button" className={styles['trigger']} aria-label={t('user.menu', { username: user.username })}>
            <Avatar name={user.username} />
          </button>
        }
      >
        <div className={styles['user']}>
          <bdi className={styles['name']}>{user.username}</bdi>
          <span className={styles['role']}>{t(`user.role.${user.role}`)}</span>
        </div>
        <MenuSeparator />
        <MenuChoice
          label={t('user.theme')}
          value={theme}
          choices={themes.map((value) => ({ value, label: t(`user.themes.${value}`), icon: themeIcons[value] }))}
          onChange={changeTheme}
          closeOnClick={false}
        />
        <MenuSeparator />
        <MenuChoice
          label={t('user.language')}
          value={language}
          choices={languages.map((code) => ({ value: code, label: languageName(code), lang: code }))}
          onChange={(code) => void changeLanguage(code).catch(toastProblem)}
          closeOnClick={false}
        />
        <MenuSeparator />
        <MenuItem icon={UserIcon} onSelect={() => void navigate({ to: '/user-settings' })}>
          {t('user.settings')}
        </MenuItem>
        <MenuItem icon={BookIcon} onSelect={() => void navigate({ to: '/guides' })}>
          {t('user.docs')}
        </MenuItem>
        {user.role !== 'annotator' && (
          <MenuItem icon={GearIcon} onSelect={() => void navigate({ to: '/administration' })}>
            {user.role === 'owner' ? t('user.administration') : t('user.members')}
          </MenuItem>
        )}
        <MenuItem icon={SignOutIcon} onSelect={() => void requestSignOut()}>
          {t('user.signOut')}
        </MenuItem>
        <p className={styles['version']}>Postil {import.meta.env.VITE_VERSION}</p>
      </Menu>
      <SignOutDialog open={isAsking} onStay={cancel} onLeave={confirm} busy={isPending} />
    </>
  )
}
