/**
 * A self-signed certificate for `*.sunny.example`, made with openssl, for test pages. Browsers accept it only if they
 * accept any certificate, so its private key may be public.
 */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvQIQtwBOmYUuI1WK
o6sXLA9s9PKB6xbQ8BgFAiQAKeGhRANCAASkmjNOdJW8vtLGwA9ONK3oloKo/ZqU
h5UZiuaqp1jXe4fKStBUfxWIlcKxYiElM3ko/QzHgcg3RzsSZphzNzLn
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBozCCAUmgAwIBAgIUYbuvmtupWO6DM73hcFtKqzXO35YwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNc3VubnkuZXhhbXBsZTAgFw0yNjExMjExOTMyMzdaGA8yMTI2
MTAyODE5MzIzN1owGDEWMBQGA1UEAwwNc3VubnkuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABKSaM050lby+0sbAD040reiWgqj9mpSHlRmK5qqnWNd7
h8pK0FR/FYiVwrFiISUzeSj9DMeByDdHOxJmmHM3MuejbzBtMB0GA1UdDgQWBBQT
Y1p//WIX5/9csFr+I3lNHIfiazAfBgNVHSMEGDAWgBQTY1p//WIX5/9csFr+I3lN
HIfiazAPBgNVHRMBAf8EBTADAQH/MBoGA1UdEQQTMBGCDyouc3VubnkuZXhhbXBs
ZTAKBggqhkjOPQQDAgNIADBFAiA+a9nMIslqHuxnVdw6fT9hiRbfZurrn2MazIrD
5WAhiwIhANzB++NMdl2Bx+0p0FCrhawnjY/Tmb42xMRAvCi1Y/5W
-----END CERTIFICATE-----`,
};
