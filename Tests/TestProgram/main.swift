import AlarmKit

exit(await TestProgram.run())
