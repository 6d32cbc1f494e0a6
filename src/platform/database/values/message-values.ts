export const CHANNELS = ['mail', 'chat'] as const

export const CHAT_FORMATS = ['signed', 'slack'] as const

export const MESSAGE_STATES = ['pending', 'sent', 'failed', 'unknown', 'stopped'] as const
