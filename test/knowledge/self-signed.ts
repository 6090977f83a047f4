/** A certificate for `good.example` that nobody vouches for, and its key: worth nothing anywhere. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBnjCCAUSgAwIBAgIUNA+5bqtg+MQKUxGgob7abpr8Yv0wCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMZ29vZC5leGFtcGxlMCAXDTI2MTEyMTIyNDMwM1oYDzIxMjYx
MDI4MjI0MzAzWjAXMRUwEwYDVQQDDAxnb29kLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATq/vskzjNlEsQ0hpnqPtmSUusEVHh1rUu2gXu//zzeoIc8
Dw1iq7PL+59z8r0Zv2+yk+xd9ywqO9Mf7i+xyjBCo2wwajAdBgNVHQ4EFgQUWfac
xH6puUolIup60Dr6kDdSCmIwHwYDVR0jBBgwFoAUWfacxH6puUolIup60Dr6kDdS
CmIwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxnb29kLmV4YW1wbGUwCgYI
KoZIzj0EAwIDSAAwRQIhAIxZZEGud6fdNJDKUb/Q4Jh+vjBJuAYcu3excKpFls57
AiBPXEQdzxwlF8E7anQ1u2ZRPSWpE3TFqce00kS7Ak1D0g==
-----END CERTIFICATE-----`;
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIYgiXFuPme4M8z0k
xUcfGCOrmkh5LFo5fdZTZRUKbYWhRANCAATq/vskzjNlEsQ0hpnqPtmSUusEVHh1
rUu2gXu//zzeoIc8Dw1iq7PL+59z8r0Zv2+yk+xd9ywqO9Mf7i+xyjBC
-----END PRIVATE KEY-----`;
