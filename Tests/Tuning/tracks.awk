# Writes tracks for tuning. Each track is a day with legs of walking, rest, driving, running and cycling.
#
#     awk -v folder=DIR -v count=8 -f tracks.awk
#
# A track has a point each second, as `t_s,lat,lon,label`. Runs with equal counts write equal tracks.

# Returns a random number below 1. The generator of awk is not used, because it differs between awk programs.
function chance() {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}

function leg(label, seconds, speed,   turn, second, now) {
  heading = chance() * 6.2831853
  for (second = 0; second < seconds; second++) {
    turn = (chance() - 0.5) * 0.1
    heading += turn
    now = speed * (0.8 + 0.4 * chance())
    latitude += now * cos(heading) / 111195
    longitude += now * sin(heading) / (111195 * 0.68)
    printf "%d,%.7f,%.7f,%s\n", at++, latitude, longitude, label > file
  }
}

BEGIN {
  for (number = 1; number <= count; number++) {
    seed = number * 7919
    file = sprintf("%s/made-%02d.csv", folder, number)
    print "t_s,lat,lon,label" > file
    at = 0
    latitude = 47.05
    longitude = 8.31
    leg("walk", 300 + 300 * chance(), 1.2 + 0.4 * chance())
    leg("still", 600 + 900 * chance(), 0)
    leg("car", 300 + 300 * chance(), 9 + 6 * chance())
    leg("still", 300 + 600 * chance(), 0)
    leg("run", 300 + 300 * chance(), 2.6 + 0.8 * chance())
    leg("bike", 300 + 300 * chance(), 4 + 3 * chance())
    leg("walk", 200 + 300 * chance(), 1.2 + 0.4 * chance())
    close(file)
  }
}
