const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** The modifier for shortcuts, as printed on this machine's keyboard. */
export const commandKey = isApple ? '⌘' : 'Ctrl'
